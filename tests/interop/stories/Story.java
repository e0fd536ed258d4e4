import docwright.ApiClient;
import docwright.api.ChatApi;
import docwright.api.DocumentsApi;
import docwright.api.ExtractionsApi;
import docwright.api.IdentityApi;
import docwright.model.ApproveBody;
import docwright.model.CallDecisionInput;
import docwright.model.ChatBody;
import docwright.model.ChatMessageInput;
import docwright.model.Document;
import docwright.model.TurnAnswer;
import docwright.model.UploadBody;
import docwright.model.UploadBodyDocumentsItem;
import java.nio.file.Files;
import java.util.Base64;

/** The main story through the generated Java client. */
public final class Story {
  public static void main(String[] args) throws Exception {
    ApiClient client = new ApiClient();
    client.setBasePath(System.getenv("DOCWRIGHT_URL"));
    client.addDefaultHeader("Authorization", "Bearer " + System.getenv("DOCWRIGHT_TOKEN"));
    client.setReadTimeout(60_000);
    DocumentsApi documents = new DocumentsApi(client);
    ChatApi chat = new ChatApi(client);

    String org = new IdentityApi(client).getMe().getOrganizations().get(0).getId();
    String content = Base64.getEncoder().encodeToString(Files.readAllBytes(java.nio.file.Paths.get(System.getenv("INVOICE"))));
    UploadBodyDocumentsItem item = new UploadBodyDocumentsItem().name("java.pdf").content(content);
    String document =
        documents.uploadDocuments(org, new UploadBody().addDocumentsItem(item)).getDocuments().get(0).getId();

    long deadline = System.nanoTime() + 60_000_000_000L;
    while (documents.getDocument(org, document).getState() != Document.StateEnum.OCR_COMPLETED) {
      if (System.nanoTime() > deadline) throw new IllegalStateException("The document is not read in time.");
      Thread.sleep(200);
    }
    boolean read =
        documents.getDocumentText(org, document, null).getPages().stream()
            .anyMatch(page -> page.getText().contains("INV-100"));
    if (!read) throw new IllegalStateException("The text has no INV-100.");

    ChatMessageInput said =
        new ChatMessageInput()
            .role(ChatMessageInput.RoleEnum.USER)
            .content("create a schema for this invoice and extract it");
    TurnAnswer turn = chat.chat(org, document, new ChatBody().addMessagesItem(said));
    int approved = 0;
    while (turn.getStatus() == TurnAnswer.StatusEnum.AWAITING_APPROVAL) {
      ApproveBody decisions = new ApproveBody().turnId(turn.getTurnId());
      for (docwright.model.ProposedCall call : turn.getToolCalls()) {
        decisions.addApprovalsItem(new CallDecisionInput().callId(call.getId()).approved(true));
        approved += 1;
      }
      turn = chat.decideTurn(org, document, decisions);
    }

    java.util.List<docwright.model.Extraction> found = new ExtractionsApi(client).listExtractions(org, document, null, null).getExtractions();
    if (found.isEmpty() || !String.valueOf(found.get(0).getResult()).contains("INV-100")) {
      throw new IllegalStateException("The turn ended " + turn.getStatus() + " without INV-100.");
    }
    System.out.println(approved + " approved, INV-100 extracted");
  }
}
