"""The main story through the generated Python client."""

import base64
import os
import time

import docwright_client as docwright

configuration = docwright.Configuration(host=os.environ["DOCWRIGHT_URL"], access_token=os.environ["DOCWRIGHT_TOKEN"])
with docwright.ApiClient(configuration) as client:
    documents = docwright.DocumentsApi(client)
    chat = docwright.ChatApi(client)
    org = docwright.IdentityApi(client).get_me().organizations[0].id

    with open(os.environ["INVOICE"], "rb") as file:
        content = base64.b64encode(file.read()).decode()
    item = docwright.UploadBodyDocumentsItem(name="python.pdf", content=content)
    document = documents.upload_documents(org, upload_body=docwright.UploadBody(documents=[item])).documents[0].id

    deadline = time.monotonic() + 60
    while (state := documents.get_document(org, document).state) != "ocr_completed":
        assert time.monotonic() < deadline, f"The document stays {state}."
        time.sleep(0.2)
    text = documents.get_document_text(org, document)
    assert any("INV-100" in page.text for page in text.pages), "The text has no INV-100."

    said = docwright.ChatMessageInput(role="user", content="create a schema for this invoice and extract it")
    turn = chat.chat(org, document, docwright.ChatBody(messages=[said]))
    approved = 0
    while turn.status == "awaiting_approval":
        approvals = [docwright.CallDecisionInput(call_id=call.id, approved=True) for call in turn.tool_calls]
        approved += len(approvals)
        turn = chat.decide_turn(org, document, docwright.ApproveBody(turn_id=turn.turn_id, approvals=approvals))

    found = docwright.ExtractionsApi(client).list_extractions(org, document).extractions
    assert found and "INV-100" in str(found[0].result), f"The turn ended {turn.status} without INV-100."
    print(f"{approved} approved, INV-100 extracted")
