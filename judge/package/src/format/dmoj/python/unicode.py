def utf8bytes(text):
    if text is None or isinstance(text, bytes):
        return text
    return text.encode("utf-8")


def utf8text(data, errors="strict"):
    if data is None or isinstance(data, str):
        return data
    return data.decode("utf-8", errors)
