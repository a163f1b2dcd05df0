//! Diagnostics as data: code, severity, labels, help; rendering last.
