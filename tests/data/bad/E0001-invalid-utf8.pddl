; crème
(define (domain kitchen))
