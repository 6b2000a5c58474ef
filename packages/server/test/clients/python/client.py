"""A client whose operations are those of openapi.json, and whose types are generated."""

import json
import re
import urllib.error
import urllib.parse
import urllib.request

import models

PROBLEM = "application/problem+json"


class Refused(Exception):
    """The server refused a request: the problem says of which kind the refusal is."""

    def __init__(self, problem):
        super().__init__(problem.detail)
        self.problem = problem


def decode(schema, value):
    """Reads a value by its schema, with the generated type of each named schema."""
    if "$ref" in schema:
        name = schema["$ref"].rsplit("/", 1)[1]
        function = re.sub(r"(?<!^)(?=[A-Z])", "_", name).lower() + "_from_dict"
        return getattr(models, function)(value)
    if "anyOf" in schema:
        for one in schema["anyOf"]:
            try:
                return decode(one, value)
            except (AssertionError, AttributeError, ValueError):
                pass
        raise ValueError(value)
    if schema.get("type") == "array":
        return [decode(schema["items"], item) for item in value]
    return value


class Client:
    """Calls operations by their ids, such as "place.create"."""

    def __init__(self, document, base_url, token):
        self.base_url = base_url
        self.token = token
        self.operations = {
            operation["operationId"]: (method.upper(), path, operation)
            for path, methods in document["paths"].items()
            for method, operation in methods.items()
        }

    def call(self, operation_id, body=None, **parameters):
        method, path, operation = self.operations[operation_id]
        query = {}
        for parameter in operation["parameters"]:
            name = parameter["name"]
            if name not in parameters:
                assert not parameter["required"], name
            elif parameter["in"] == "path":
                path = path.replace("{" + name + "}", urllib.parse.quote(str(parameters[name]), safe=","))
            elif parameter["in"] == "query":
                query[name] = parameters[name]
        headers = {"Accept": "application/json, " + PROBLEM}
        if operation["security"]:
            headers["Authorization"] = "Bearer " + self.token
        data = None
        if body is not None:
            (media_type,) = operation["requestBody"]["content"]
            headers["Content-Type"] = media_type
            is_json = media_type == "application/json"
            data = (json.dumps(body) if is_json else urllib.parse.urlencode(body)).encode()
        url = self.base_url + path + ("?" + urllib.parse.urlencode(query) if query else "")
        request = urllib.request.Request(url, data, headers, method=method)
        try:
            with urllib.request.urlopen(request) as response:
                return self.result(operation, response.status, response.read())
        except urllib.error.HTTPError as error:
            assert str(error.code) in operation["responses"], error.code
            schema = operation["responses"]["default"]["content"][PROBLEM]["schema"]
            raise Refused(decode(schema, json.load(error))) from None

    @staticmethod
    def result(operation, status, content):
        declared = operation["responses"][str(status)]
        if "content" not in declared:
            assert content == b"", content
            return None
        return decode(declared["content"]["application/json"]["schema"], json.loads(content))
