"""Two gateways for language models that are peers in bench/relay_vs_nginx.py: Portkey (Node) and LiteLLM (Python).
They are installed once, into the cache folder that tools/venv also uses."""
import json
import os
import pathlib
import sys

import contenders

sys.path.insert(0, str(contenders.ROOT / "tests"))
import node  # pylint: disable=wrong-import-position
import python_packages  # pylint: disable=wrong-import-position

HERE = pathlib.Path(__file__).resolve().parent
TIMEOUT = 900  # Seconds; LiteLLM needs 400 MB.


class Gateway(contenders.Contender):
    """A gateway that passes chat completions on to the model's server at this port."""
    seconds_to_start = 120  # LiteLLM is slow to import.

    def __init__(self, folder, core, model_port):
        self.port = contenders.free_port()
        self.folder = folder / self.name
        self.folder.mkdir()
        self.headers = self.headers_for(model_port)
        super().__init__(self.start_command(model_port), "/v1/chat/completions", self.folder / "log", core)


class Portkey(Gateway):
    """Its settings are in each request. It listens on all addresses; there is no option for one."""
    name = "Portkey"
    ready_path = "/"

    @staticmethod
    def install():
        return node.packages(HERE / "npm", node.cache() / "npm-bench")

    @staticmethod
    def version():
        return json.loads((HERE / "npm/package.json").read_text("utf-8"))["dependencies"]["@portkey-ai/gateway"]

    @staticmethod
    def headers_for(model_port):
        return {"Authorization": "Bearer none", "x-portkey-provider": "openai",
                "x-portkey-custom-host": f"http://127.0.0.1:{model_port}/v1"}

    def start_command(self, _):
        self.environment = {**os.environ, "NODE_ENV": "production"}
        program = self.install() / "@portkey-ai/gateway/build/start-server.js"
        return [*node.commands()[0], program, "--headless", f"--port={self.port}"]


class LiteLLM(Gateway):
    """One worker, with a key, and with what its documentation recommends for production: no line for each request."""
    name = "LiteLLM"
    ready_path = "/health/liveliness"
    key = "sk-bench"

    @staticmethod
    def install():
        return python_packages.installed("litellm_proxy", TIMEOUT, HERE)

    @staticmethod
    def version():
        lines = (HERE / "litellm_proxy.txt").read_text("utf-8").splitlines()
        return next(line.partition("==")[2] for line in lines if line.startswith("litellm=="))

    def headers_for(self, _):
        return {"Authorization": f"Bearer {self.key}"}

    def start_command(self, model_port):
        settings = {
            "model_list": [{"model_name": "m", "litellm_params": {
                "model": "openai/m", "api_base": f"http://127.0.0.1:{model_port}/v1", "api_key": "none"}}],
            "general_settings": {"master_key": self.key}}
        file = self.folder / "config.yaml"
        file.write_text(json.dumps(settings), "utf-8")  # JSON is YAML, too.
        self.environment = {
            **{name: value for name, value in os.environ.items() if name != "DATABASE_URL"},
            "PYTHONPATH": str(self.install()), "HOME": str(self.folder), "LITELLM_MODE": "PRODUCTION",
            "LITELLM_LOG": "ERROR", "LITELLM_LOCAL_MODEL_COST_MAP": "True"}
        return [sys.executable, "-c", "from litellm.proxy.proxy_cli import run_server; run_server()", "--config", file,
                "--host", "127.0.0.1", "--port", self.port, "--num_workers", "1"]


ALL = (Portkey, LiteLLM)
