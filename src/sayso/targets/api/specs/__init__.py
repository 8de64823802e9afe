"""Any API that the user brings: read, asked, shown, sent. The face holds what other rooms use."""

from sayso.targets.api.specs.facade import Spec, open_api, serve_mock, teach

__all__ = ["Spec", "open_api", "serve_mock", "teach"]
