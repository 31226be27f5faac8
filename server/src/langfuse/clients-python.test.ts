/** Real Langfuse SDKs of PyPI, in virtual environments: where there is no PyPI, `npm test` says that they did not run. */
