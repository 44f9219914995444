options(fsa.threads = 2)
