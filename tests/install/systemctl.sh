#!/bin/sh
# Stands for the service manager in a test: knows parley.service only, runs its ExecStart as its user, and
# writes down what it was asked to do.
unit=/usr/lib/systemd/system/parley.service
pidfile=/run/parley.pid
action=
for word in "$@"; do
    case $word in
    --* | parley.service) ;;
    *) action=$word ;;
    esac
done
echo "$action" >>/run/systemctl.log

value() { sed -n "s/^$1=//p" "$unit"; }
is_running() { [ -e "$pidfile" ] && kill -0 "$(cat "$pidfile")" 2>/dev/null; }
start() {
    is_running && return
    # One core, so that the model computes with one thread: two would wait for each other on a busy machine.
    # shellcheck disable=SC2046  # The words of the command.
    setsid taskset --cpu-list $(($(nproc --all) - 1)) setpriv --reuid "$(value User)" --regid "$(value Group)" --clear-groups --no-new-privs --bounding-set=-all \
        env -i PATH=/usr/bin:/bin PARLEY_SERVER_LISTEN=127.0.0.1:0 PARLEY_METRICS_LISTEN=127.0.0.1:0 \
        $(value ExecStart) </dev/null >/dev/null 2>>/run/parley.log &
    echo $! >"$pidfile"
}
stop() {
    is_running || return 0
    kill -TERM "$(cat "$pidfile")"
    while is_running; do sleep 0.1; done
    rm "$pidfile"
}

enabled=/etc/systemd/system/multi-user.target.wants/parley.service

case $action in
preset) mkdir -p "${enabled%/*}" && ln -sf "$unit" "$enabled" ;;
is-enabled) [ -e "$enabled" ] && echo enabled ;;
is-active) is_running ;;
start) start ;;
stop) stop ;;
restart) stop && start ;;
daemon-reload) ;;
*) exit 1 ;;
esac
