"""An object of a provider's class by import path: `package.module:Class`, with JSON arguments after a question mark."""

from __future__ import annotations

import hashlib
import importlib
import json
import re
from typing import Any

from rag.errors import ConfigError, ModelError, ModelRefused, ModelUnreachable, NoCredential
from rag.model.refusals import without_secrets

_SECRET_NAME = re.compile(r"key|token|secret|password|credential", re.IGNORECASE)
_MOST_SAID = 300  # characters of a provider's own words
_STATUS_NO_KEY = (401, 403)


class Imported:
    """`made` is the object; `digest` tells its arguments apart, secrets left out. No message of its quotes a secret."""

    def __init__(self, kind: str, spec: str, method: str) -> None:
        """`kind` is what messages call it, `method` what shows that the class is of that kind. Raises ConfigError."""
        self.kind = kind
        self.path, _, given = spec.partition("?")
        arguments = self._parsed(given)
        public = {name: value for name, value in arguments.items() if not _SECRET_NAME.search(name)}
        self._secrets = [str(value) for name, value in arguments.items() if name not in public]
        self.digest = hashlib.sha256(json.dumps(public, sort_keys=True).encode()).hexdigest()[:8]
        self.made = self._made(arguments)
        if not hasattr(self.made, method):
            raise ConfigError(f"{kind} {self.path} is no LlamaIndex {kind}", f"name a class with {method}")

    def failed(self, error: Exception) -> ModelError:
        """What an error of the provider's means: a provider's SDK may raise anything."""
        said = " ".join(str(error).split())[:_MOST_SAID]
        for secret in (*self._secrets, ""):
            said = without_secrets(said, secret)
        message = f"{self.path} failed: {type(error).__name__}: {said}"
        status = getattr(error, "status_code", None)
        if status in _STATUS_NO_KEY:
            return NoCredential(message, "keys come from the provider's own variables")
        if isinstance(status, int):
            return ModelRefused(message, f"try again later, or choose another {self.kind}")
        return ModelUnreachable(message, "see the provider's own documentation for its address and key")

    def _parsed(self, given: str) -> dict[str, Any]:
        try:
            arguments = json.loads(given or "{}")
        except json.JSONDecodeError:
            arguments = None
        if not isinstance(arguments, dict):
            raise ConfigError(
                f"{self.kind} {self.path}: the arguments after ? are no JSON object", 'write ?{"name": "value"}'
            )
        return arguments

    def _made(self, arguments: dict[str, Any]) -> Any:
        named = f"{self.kind} {self.path}"
        module, _, name = self.path.partition(":")
        try:
            return getattr(importlib.import_module(module), name)(**arguments)
        except ImportError as error:
            raise ConfigError(f"{named}: {error}", f"install the package that holds {module}") from None
        except AttributeError:
            raise ConfigError(f"{named}: {module} has no class {name}", "check its spelling") from None
        except Exception as error:  # whatever a constructor raises; its text may quote a key
            raise ConfigError(
                f"{named} could not be made: {type(error).__name__}", "check its arguments and its key"
            ) from None
