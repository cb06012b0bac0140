"""Reaching a model's server: correct and faulty proxies of the configuration and the environment, and servers with
invalid certificates. Only the proxy can resolve the host models.test, so every request that arrives came through it. On
the fake desktop."""

import pathlib
import time
import unittest

from console import DONE, FAILED, SERVICES
from models import KEY, PROVIDERS, ModelTest, say, step
from models_settings_test import GOAL, ConfiguredTest

from proxy import Proxy

HOST = "models.test"
LOGIN = "clerk:pa:ss@w%rd/9f3e"
PASSWORD = LOGIN.split(":", 1)[1]
ENCODED_LOGIN = "clerk:pa%3Ass%40w%25rd%2F9f3e"
ENCODED_PASSWORD = ENCODED_LOGIN.split(":", 1)[1]
BASE64_LOGIN = "Y2xlcms6cGE6c3NAdyVyZC85ZjNl"
LOOK = step("list_windows")
TRACE = "\n[log]\nlevel = \"trace\"\n"


class NetworkTest(ConfiguredTest):
    def setUp(self):
        super().setUp()
        self.without_model = self.without_model.replace("[log]", "[unused]") + TRACE
        self.login_file = self.services.directory / "proxy.login"
        self.login_file.write_text(LOGIN + "\n")
        self.login_file.chmod(0o600)

    def tls_model(self, entries, name="openai", certificate=None):
        return self.model(name, entries, encrypted=True, certificate=certificate or {"names": [f"DNS:{HOST}"]})

    def configure_host(self, model, /, **settings):
        self.configure(model, **{"base_url": model.base_url_at(HOST), "ca_file": str(model.ca_file), **settings})

    def in_environment(self, **variables):
        self.services.environment.update(variables)

    def assert_password_nowhere(self):
        for secret in (PASSWORD, ENCODED_PASSWORD, BASE64_LOGIN):
            self.assert_key_nowhere(secret, but=(self.login_file,))

    def assert_done(self, model):
        run = self.goal()
        self.assert_goal_ends(run, DONE)
        self.assert_as_scripted(model)
        self.assert_password_nowhere()
        return run

    def assert_failed(self, words):
        """Checks that the goal fails with these words after a single try."""
        run = self.goal()
        self.assert_goal_ends(run, FAILED)
        self.assertRegex(run.errors(), words)
        self.assertEqual([1], [call["tries"] for call in self.calls(run)], "a permanent error was retried")
        self.assert_password_nowhere()


class Proxies(NetworkTest):
    def test_the_configured_proxy_is_used_for_every_server(self):
        for known in self.some(PROVIDERS):
            with self.subTest(planner=known.name):
                with self.tls_model([say(LOOK), say(done="Seen.")], known.name) as model, \
                        Proxy(model.server.server_port) as proxy:
                    self.in_environment(no_proxy="*", https_proxy="http://127.0.0.1:1")
                    self.configure_host(model, proxy=proxy.url)
                    self.assert_done(model)
                    self.assertEqual([f"{HOST}:443"], proxy.asked, "both turns must share one connection")

    def test_a_configured_proxy_gets_user_and_password(self):
        for scheme in ("http", "socks5h"):
            with self.subTest(scheme=scheme):
                with self.tls_model([say(done="Seen.")]) as model, \
                        Proxy(model.server.server_port, login=LOGIN) as proxy:
                    self.configure_host(model, proxy=f"{scheme}://{proxy.address}",
                                        proxy_login_file="proxy.login")
                    self.assert_done(model)
                    self.assertEqual([f"{HOST}:443"], proxy.asked)

    def test_a_socks_proxy_resolves_the_name(self):
        with self.tls_model([say(done="Seen.")]) as model, Proxy(model.server.server_port) as proxy:
            self.configure_host(model, proxy=f"socks5h://{proxy.address}")
            self.assert_done(model)
            self.assertEqual([f"{HOST}:443"], proxy.asked)

    def test_a_proxy_of_the_environment_gets_user_and_password(self):
        for variable in ("https_proxy", "HTTPS_PROXY", "all_proxy", "ALL_PROXY"):
            with self.subTest(variable=variable):
                with self.tls_model([say(done="Seen.")]) as model, \
                        Proxy(model.server.server_port, login=LOGIN) as proxy:
                    self.in_environment(**{variable: f"http://{ENCODED_LOGIN}@{proxy.address}"})
                    self.configure_host(model)
                    self.assert_done(model)
                    self.assertEqual([f"{HOST}:443"], proxy.asked)
                    del self.services.environment[variable]

    def test_a_proxy_sees_neither_key_nor_question(self):
        with self.tls_model([say(done="Seen.")]) as model, Proxy(model.server.server_port) as proxy:
            self.configure_host(model, proxy=proxy.url)
            self.assert_done(model)
            said = b"".join(proxy.said)
            self.assertIn(f"CONNECT {HOST}:443 HTTP/1.1".encode(), said)
            for secret in (KEY, "uthorization", "application/json", GOAL):
                self.assertNotIn(secret.encode(), said)

    def test_no_proxy_exempts_a_server(self):
        for exempt in (HOST, ".test", "example.com, models.test"):
            with self.subTest(no_proxy=exempt):
                with self.tls_model([]) as model, Proxy(model.server.server_port) as proxy:
                    self.in_environment(https_proxy=proxy.url, no_proxy=exempt)
                    self.configure_host(model)
                    run = self.goal("--time-limit", "2s")
                    self.assert_goal_ends(run, FAILED)
                    self.assertIn("Could not resolve host: models.test", run.errors())
                    self.assertEqual(([], 0), (proxy.asked, proxy.refused))
                    self.assertEqual([], model.requests())

    def test_a_server_on_this_machine_is_never_reached_through_a_proxy(self):
        """Without TLS, the proxy and the network behind it could read the question."""
        for settings in ({}, {"proxy": "http://127.0.0.1:1"}):
            with self.subTest(settings=settings):
                with self.model("ollama", [say(done="Seen.")]) as model, Proxy(model.server.server_port) as proxy:
                    self.in_environment(**{name: proxy.url for name in ("http_proxy", "https_proxy", "ALL_PROXY")})
                    self.configure(model, model="qwen3-vl", key_file=None, **settings)
                    self.assert_done(model)
                    self.assertEqual(([], 0), (proxy.asked, proxy.refused))


class BadProxies(NetworkTest):
    def check_refused(self, words, scheme="http", login_file=False, **options):
        with self.tls_model([]) as model, Proxy(model.server.server_port, **options) as proxy:
            more = {"proxy_login_file": "proxy.login"} if login_file else {}
            self.configure_host(model, proxy=f"{scheme}://{proxy.address}", **more)
            self.assert_failed(f"the proxy {scheme}://{proxy.address} does not connect to https://{HOST}: {words}")
            self.assertEqual([], proxy.asked)
            self.assertEqual(1, proxy.refused)
            self.assertEqual([], model.requests())

    def test_a_proxy_that_requires_a_password_is_reported(self):
        self.check_refused("HTTP 407, it wants a user and a password; see planner.proxy", login=LOGIN)

    def test_a_proxy_that_refuses_the_password_is_reported(self):
        self.check_refused("HTTP 407, it does not take the user and the password", login="other:one", login_file=True)

    def test_a_refused_password_of_the_environment_is_not_shown(self):
        with self.tls_model([]) as model, Proxy(model.server.server_port, login="other:one") as proxy:
            self.in_environment(https_proxy=f"http://{ENCODED_LOGIN}@{proxy.address}")
            self.configure_host(model)
            self.assert_failed(f"the proxy http://{proxy.address} .*HTTP 407.*; see https_proxy")

    def test_a_proxy_that_forbids_the_server_is_reported(self):
        self.check_refused("HTTP 403", status=403)

    def test_a_socks_proxy_that_refuses_is_reported(self):
        self.check_refused("", scheme="socks5h", status=403)
        self.check_refused("", scheme="socks5h", login="other:one", login_file=True)
        self.check_refused("", scheme="socks5h", login=LOGIN)

    def test_a_proxy_that_cannot_reach_the_server_is_retried(self):
        with self.tls_model([say(done="Seen.")]) as model, Proxy(model.server.server_port, status=502) as proxy:
            self.configure_host(model, proxy=proxy.url)
            run = self.goal()
            run.wait_for(lambda: proxy.refused >= 2)
            proxy.status = 0
            self.assert_goal_ends(run, DONE)
            self.assert_as_scripted(model)

    def test_a_hanging_proxy_is_limited_by_the_timeout_of_each_try(self):
        with self.tls_model([]) as model, Proxy(model.server.server_port, hangs=True) as proxy:
            self.configure_host(model, proxy=proxy.url, timeout_s=1)
            run = self.goal("--time-limit", "5s")
            self.assert_goal_ends(run, FAILED)
            self.assertGreaterEqual(len(proxy.asked), 2, "the proxy was not tried again")
            self.assertIn(f"the proxy {proxy.url} did not connect to https://{HOST} in time",
                          "\n".join(call["detail"] for call in self.calls(run)) + run.errors())

    def test_an_unreachable_proxy_is_named(self):
        with self.tls_model([]) as model:
            self.configure_host(model, proxy="http://127.0.0.1:1")
            run = self.goal("--time-limit", "2s")
            self.assert_goal_ends(run, FAILED)
            self.assertIn(f"https://{HOST} cannot be reached through the proxy http://127.0.0.1:1",
                          "\n".join(call["detail"] for call in self.calls(run)))

    def test_a_malformed_proxy_address_is_reported_without_its_password(self):
        for address in (f"ftp://{ENCODED_LOGIN}@127.0.0.1", f"http://{ENCODED_LOGIN}@[zz]:99999"):
            with self.subTest(address=address):
                with self.tls_model([]) as model:
                    self.in_environment(https_proxy=address)
                    self.configure_host(model)
                    self.assert_failed("https_proxy is not a proxy address")

    def test_a_login_file_readable_by_others_is_refused(self):
        with self.tls_model([]) as model, Proxy(model.server.server_port) as proxy:
            self.login_file.chmod(0o644)
            self.configure_host(model, proxy=proxy.url, proxy_login_file="proxy.login")
            self.assert_failed("proxy.login")
            self.assertEqual([], proxy.asked)

    def test_a_halt_ends_a_call_through_a_hanging_proxy(self):
        with self.tls_model([]) as model, Proxy(model.server.server_port, hangs=True) as proxy:
            self.configure_host(model, proxy=proxy.url)
            run = self.goal()
            run.wait_for(lambda: proxy.asked)
            begun = time.monotonic()
            self.assertEqual(DONE, self.sandbox.run("--config", str(self.services.config), "halt").wait())
            run.wait()
            self.assertLess(time.monotonic() - begun, 20)  # Without the halt, the call lasts 120 s.


class Certificates(NetworkTest):
    def check(self, words, certificate, through_proxy=True, ca_of=None):
        with self.tls_model([], certificate=certificate) as model, \
                Proxy(model.server.server_port) as proxy:
            if through_proxy:
                self.configure_host(model, proxy=proxy.url, ca_file=str(ca_of or model.ca_file))
            else:
                self.configure(model, ca_file=str(ca_of or model.ca_file))
            self.assert_failed(words)
            self.assertEqual([], model.requests(), "a request was sent to an untrusted server")

    def test_an_expired_certificate_is_refused(self):
        self.check("https://models.test does not prove who it is: .*certificate has expired",
                   {"names": [f"DNS:{HOST}"], "days": -1})

    def test_a_certificate_of_another_host_is_refused(self):
        self.check("does not prove who it is: .*models.test", {"names": ["DNS:other.test", "IP:127.0.0.1"]})
        self.check("https://127.0.0.1:.* does not prove who it is: ", {"names": ["DNS:localhost"]}, through_proxy=False)

    def test_a_certificate_of_another_authority_is_refused(self):
        with self.tls_model([]) as other:
            self.check("does not prove who it is: .*(self-signed|unable to get local issuer)", None, ca_of=other.ca_file)

    def test_a_missing_or_invalid_ca_file_is_reported(self):
        self.check("nowhere.pem .planner.ca_file. cannot be used", None,
                   ca_of=self.services.directory / "nowhere.pem")
        self.check("planner.ca_file. cannot be used", None, ca_of=self.services.directory / "planner.toml")


class Environment(ModelTest):
    """The environment variables that the console passes to its services."""

    def variables_of(self, pid):
        return dict(variable.split("=", 1) for variable in
                    (pathlib.Path("/proc") / str(pid) / "environ").read_text().split("\0") if "=" in variable)

    def test_only_planner_and_actuator_inherit_the_proxy_variables(self):
        with self.model("openai", [say(done="Seen.", slow=5)], encrypted=True,
                        certificate={"names": [f"DNS:{HOST}"]}) as model, Proxy(model.server.server_port) as proxy:
            self.sandbox.environment.update(
                {name: f"http://{ENCODED_LOGIN}@{proxy.address}" for name in ("https_proxy", "HTTPS_PROXY")},
                no_proxy="elsewhere.test", OPENAI_API_KEY=KEY)
            run = self.sandbox.goal("wait 30 seconds", "--planner", "plain")
            run.wait_for(lambda: len(run.services()) == len(SERVICES) and run.states())
            services = {name: self.variables_of(pid) for name, pid in run.services().items()}
            for name in ("planner", "actuator"):
                self.assertIn(PASSWORD[-4:], services[name]["https_proxy"])
                self.assertEqual("elsewhere.test", services[name]["no_proxy"])
            for name in ("observer", "policy", "recorder"):
                self.assertFalse([known for known in services[name] if known.lower().endswith("_proxy")])
            run.process.terminate()
            run.wait()

    def test_a_planner_started_by_the_console_uses_the_proxy(self):
        with self.model("openai", [], encrypted=True, certificate={"names": [f"DNS:{HOST}"]}) as model, \
                Proxy(model.server.server_port, login=LOGIN) as proxy:
            self.sandbox.environment.update(https_proxy=f"http://{ENCODED_LOGIN}@{proxy.address}", OPENAI_API_KEY=KEY)
            run = self.sandbox.goal(GOAL, "--planner", "openai", "--base-url", model.base_url_at(HOST),
                                    "--log-level", "trace")
            # The system does not trust the authority of this test.
            self.assert_ends(run, FAILED)
            self.assertIn(f"https://{HOST} does not prove who it is", run.errors())
            self.assertEqual([f"{HOST}:443"], proxy.asked)
            for secret in (PASSWORD, ENCODED_PASSWORD, BASE64_LOGIN, KEY):
                self.assert_key_nowhere(secret)


if __name__ == "__main__":
    unittest.main()
