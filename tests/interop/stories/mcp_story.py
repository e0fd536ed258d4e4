"""The main story through the MCP Python client: its questions are answered as a person would answer them."""

import asyncio
import base64
import json
import os
import time
import urllib.request

from mcp import ClientSession, types
from mcp.client.streamable_http import streamablehttp_client

URL, TOKEN = os.environ["DOCWRIGHT_URL"], os.environ["DOCWRIGHT_TOKEN"]
HEADERS = {"Authorization": f"Bearer {TOKEN}"}
asked = 0


def http(path, body=None):
    data = None if body is None else json.dumps(body).encode()
    request = urllib.request.Request(URL + path, data, {**HEADERS, "content-type": "application/json"})
    with urllib.request.urlopen(request) as answer:
        return json.load(answer)


async def approve(_context, params):
    global asked
    asked += 1
    properties = params.requestedSchema.get("properties", {})
    content = {name: rule["enum"][0] if "enum" in rule else True for name, rule in properties.items()}
    return types.ElicitResult(action="accept", content=content)


async def main():
    org = http("/v0/me")["organizations"][0]["id"]
    with open(os.environ["INVOICE"], "rb") as file:
        content = base64.b64encode(file.read()).decode()
    documents = f"/v0/orgs/{org}/documents"
    document = http(documents, {"documents": [{"name": "mcp.pdf", "content": content}]})["documents"][0]["id"]
    deadline = time.monotonic() + 60
    while http(f"{documents}/{document}")["state"] != "ocr_completed":
        assert time.monotonic() < deadline, "The document is not read in time."
        await asyncio.sleep(0.2)

    async with streamablehttp_client(f"{URL}/mcp", headers=HEADERS) as (read, write, _):
        async with ClientSession(read, write, elicitation_callback=approve) as session:
            await session.initialize()

            async def call(tool, **arguments):
                answer = await session.call_tool(tool, {"document_id": document, **arguments})
                text = answer.content[0].text
                assert not answer.isError, f"{tool}: {text}"
                return json.loads(text)

            assert "INV-100" in json.dumps(await call("get_ocr_text")), "The text has no INV-100."
            fields = {"type": "object", "properties": {"invoice_number": {"type": "string"}},
                      "required": ["invoice_number"], "additionalProperties": False}
            form = {"type": "json_schema", "json_schema": {"name": "invoice", "schema": fields, "strict": True}}
            schema = await call("create_schema", name="Invoice by MCP", response_format=form)
            prompt = await call("create_prompt", name="Invoice by MCP", content="Extract the invoice number.",
                                schema_id=schema["schema_id"])
            await call("run_extraction", prompt_revid=prompt["prompt_revid"])
            result = json.dumps(await call("get_extraction_result", prompt_revid=prompt["prompt_revid"]))
            assert "INV-100" in result, f"No INV-100 was extracted: {result}"
            print(f"{asked} approved, INV-100 extracted")


asyncio.run(main())
