"""What a deployment on four hosts does: goals, slow links, outages, restarts, revoked keys."""

import re
import signal
import subprocess
import sys
import threading
import time

from console import DONE, SERVICE_LOST
from hosts import ACTUATOR_PORT, ADDRESSES, SERVICES, HostsTest, main, within

FAKETIME = "/usr/lib/x86_64-linux-gnu/faketime/libfaketimeMT.so.1"


class Hosts(HostsTest):
    def test_services_on_four_hosts_execute_a_goal(self):
        self.start(*SERVICES)
        self.assert_types("across")
        self.assertTrue(self.reaches("middle", ADDRESSES["actuator"], ACTUATOR_PORT))
        self.assertFalse(self.reaches("planner", ADDRESSES["actuator"], ACTUATOR_PORT))
        status = self.console("status")
        self.assertEqual(DONE, status.wait(), status.said())
        for name in SERVICES:
            self.assertIn(name, status.text())

    def test_a_goal_works_over_a_slow_link_and_with_a_wrong_clock(self):
        self.network.slow_down("actuator")
        # AddressSanitizer otherwise refuses a library that is preloaded before it.
        self.start("actuator", environment={"LD_PRELOAD": FAKETIME, "FAKETIME": "+3h",
                                            "FAKETIME_DONT_FAKE_MONOTONIC": "1",
                                            "ASAN_OPTIONS": "verify_asan_link_order=0"})
        self.start("observer", "policy", "planner", "recorder")
        self.assert_types("slowly")

    def test_a_short_network_outage_is_tolerated_and_a_long_one_is_reported(self):
        self.start(*SERVICES)
        run = self.goal('open notes; wait 3 seconds; type "x"', "--unlock-writes")
        run.wait_for(lambda: run.facts("actuator.outcome"))
        self.network.link("middle", "down")
        time.sleep(0.7)  # The length of the outage is the subject of the test.
        self.network.link("middle", "up")
        self.assertEqual(DONE, run.wait(60), run.said())

        run = self.goal('open notes; wait 60 seconds; type "x"', "--unlock-writes")
        run.wait_for(lambda: run.facts("actuator.outcome"))
        self.network.link("middle", "down")
        self.assertEqual(SERVICE_LOST, run.wait(30), run.said())
        self.assertRegex(run.errors(), "da-(policy|observer)")
        self.network.link("middle", "up")
        self.assert_types("afterwards")

    def test_a_restarted_service_is_found_again(self):
        self.start(*SERVICES)
        for name in SERVICES:
            with self.subTest(service=name):
                self.processes[name].send_signal(signal.SIGKILL)
                self.processes[name].wait(10)
                self.start(name)
                self.assert_types(f"again-{name}")

    def test_a_service_waits_for_the_address_of_its_predecessor(self):
        config = (self.deployment / "actuator/actuator.toml").read_text()
        address, port = re.search(r'facts = "tcp://([\d.]+):(\d+)"', config).groups()
        code = f"import socket, sys; s = socket.create_server(({address!r}, {port})); print(flush=True); sys.stdin.read()"
        other = subprocess.Popen([*within("actuator"), sys.executable, "-c", code], stdin=subprocess.PIPE,
                                 stdout=subprocess.PIPE)
        self.addCleanup(other.stdout.close)
        self.addCleanup(other.kill)
        other.stdout.readline()
        release = threading.Timer(1, other.stdin.close)
        release.start()
        self.start("actuator")
        other.wait(10)
        self.assertTrue(self.reaches("middle", ADDRESSES["actuator"], ACTUATOR_PORT))

    def test_another_console_can_approve_after_the_first_was_killed(self):
        self.start(*SERVICES)
        first = self.goal("open notes")
        asked = first.pending_id()
        first.process.kill()
        first.wait()
        watch = self.console("--json", "watch")
        watch.wait_for(lambda: watch.process.poll() is None)
        pending = self.console("pending")
        pending.wait()
        if asked in pending.text():
            answer = self.console("approve", asked)
            self.assertEqual(DONE, answer.wait(), answer.said())
            watch.wait_for(lambda: watch.facts("actuator.outcome"))
        watch.process.send_signal(signal.SIGINT)
        watch.wait()
        self.assertIn(asked, pending.text(), "the approval did not wait for another console")

    def test_a_revoked_planner_cannot_act(self):
        self.start(*SERVICES)
        self.assert_types("before")
        revoked = self.sandbox.run("keys", "revoke", str(self.deployment), "planner@planner")
        self.assertEqual(DONE, revoked.wait(), revoked.said())
        # revoke writes into the directories that the hosts read. A console started before still trusts the planner.
        file = self.sandbox.path("after.txt")
        run = self.goal(f'open "notes {file}"; type "x"; press ctrl+s', "--unlock-writes")
        self.assertNotEqual(DONE, run.wait(60), run.said())
        self.assertFalse(file.exists())


if __name__ == "__main__":
    main()
