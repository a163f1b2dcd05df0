; Nobody can plate, for nothing makes a plate clean.
(define (domain supper)
  (:requirements :typing)
  (:types food plate)
  (:predicates (raw ?x - food) (boiled ?x - food) (clean ?p - plate) (dirty ?p - plate)
               (plated ?x - food) (served ?x - food))
  (:action boil
    :parameters (?x - food)
    :precondition (raw ?x)
    :effect (and (boiled ?x) (not (raw ?x))))
  (:action plate-up
    :parameters (?x - food ?p - plate)
    :precondition (and (boiled ?x) (clean ?p))
    :effect (and (plated ?x) (not (clean ?p)) (dirty ?p)))
  (:action serve
    :parameters (?x - food)
    :precondition (plated ?x)
    :effect (served ?x))
  (:action rinse
    :parameters (?p - plate)
    :precondition (dirty ?p)
    :effect (not (dirty ?p))))

(define (problem one-egg)
  (:domain supper)
  (:objects egg - food plate1 - plate)
  (:init (raw egg) (dirty plate1))
  (:goal (served egg)))
