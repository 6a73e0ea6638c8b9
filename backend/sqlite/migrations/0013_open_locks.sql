-- How many payment locks an invocation neither settled nor released; NULL is none.
ALTER TABLE invocations ADD COLUMN open_locks INTEGER;
