//! Other formats: front ends that read them and writers that produce them.
