# filled in with the executables
