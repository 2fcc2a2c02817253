.ONESHELL:
.RECIPEPREFIX = >
deploy:
> @cd build
> rm -rf *
> echo $(CURDIR)
