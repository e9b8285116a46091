"""Language models to distrust: one that errs by script, one that agrees, a very small real one; what is seen of it."""
