#!/bin/sh
# The judge in $JUDGE_TEST_PROGRAM with `--sandbox none` for each command that has the option, unless it is given.
case $1 in
    run | verify | watch | stress | gen | limits | export)
        case " $* " in
            *" --sandbox"*) ;;
            *)
                command=$1
                shift
                set -- "$command" --sandbox none "$@"
                ;;
        esac
        ;;
esac
exec "$JUDGE_TEST_PROGRAM" "$@"
