(((:action)))
