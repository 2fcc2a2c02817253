// Package dockerfile reads Dockerfiles and Containerfiles into syntax trees: the
// language of the Dockerfile reference (docs.docker.com/reference/dockerfile) as
// the parser of BuildKit takes it, which Buildah and Podman read alike.
//
// In goes the text of a file; out comes a [File]: its directives and its
// instructions in order, with their options, arguments, here-documents, pairs of
// names and values and the instructions inside ONBUILD and HEALTHCHECK, each with
// the byte of the file where it stands. Lines that are continued are joined as the
// builder joins them, without what continues them and without the comments
// between. Reading never fails. What a builder would refuse is noted in File.Err,
// and reading goes on with the next instruction.
//
// The package says what is written, not what it does: what a variable holds, which
// shell reads a RUN and in which directory it runs is for those who walk the tree.
// It imports the standard library only, and its work is linear in the text.
package dockerfile
