class InvalidInitException(Exception):
    pass


class ConfigNode(dict):
    """Keys of init.yml, as items and as attributes; one that is not there is None."""

    def __missing__(self, key):
        return None

    def __getattr__(self, key):
        if key.startswith("__"):
            raise AttributeError(key)
        return self.get(key, self.get(key.replace("_", "-")))

    def unwrap(self):
        return self
