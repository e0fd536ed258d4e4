// The main story through the generated Go client.
package main

import (
	"context"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"os"
	"strings"
	"time"

	docwright "docwright.example/client"
)

func must[T any](answer T, _ any, err error) T {
	if err != nil {
		if refused, ok := err.(*docwright.GenericOpenAPIError); ok {
			fmt.Fprintln(os.Stderr, string(refused.Body()))
		}
		panic(err)
	}
	return answer
}

func main() {
	configuration := docwright.NewConfiguration()
	configuration.Servers = docwright.ServerConfigurations{{URL: os.Getenv("DOCWRIGHT_URL")}}
	configuration.AddDefaultHeader("Authorization", "Bearer "+os.Getenv("DOCWRIGHT_TOKEN"))
	client := docwright.NewAPIClient(configuration)
	ctx, cancel := context.WithTimeout(context.Background(), 2*time.Minute)
	defer cancel()

	org := must(client.IdentityAPI.GetMe(ctx).Execute()).Organizations[0].Id
	file, err := os.ReadFile(os.Getenv("INVOICE"))
	if err != nil {
		panic(err)
	}
	item := docwright.NewUploadBodyDocumentsItem("go.pdf", base64.StdEncoding.EncodeToString(file))
	body := docwright.NewUploadBody([]docwright.UploadBodyDocumentsItem{*item})
	document := must(client.DocumentsAPI.UploadDocuments(ctx, org).UploadBody(*body).Execute()).Documents[0].Id

	for must(client.DocumentsAPI.GetDocument(ctx, org, document).Execute()).State != "ocr_completed" {
		time.Sleep(200 * time.Millisecond)
	}
	read := false
	for _, page := range must(client.DocumentsAPI.GetDocumentText(ctx, org, document).Execute()).Pages {
		read = read || strings.Contains(page.Text, "INV-100")
	}
	if !read {
		panic("The text has no INV-100.")
	}

	words := "create a schema for this invoice and extract it"
	said := docwright.NewChatMessageInput("user", *docwright.NewNullableString(&words))
	question := docwright.NewChatBody([]docwright.ChatMessageInput{*said})
	turn := must(client.ChatAPI.Chat(ctx, org, document).ChatBody(*question).Execute())
	approved := 0
	for turn.Status == "awaiting_approval" {
		decisions := docwright.NewApproveBody(turn.TurnId)
		for _, call := range turn.ToolCalls {
			decisions.Approvals = append(decisions.Approvals, *docwright.NewCallDecisionInput(call.Id, true))
			approved++
		}
		turn = must(client.ChatAPI.DecideTurn(ctx, org, document).ApproveBody(*decisions).Execute())
	}

	found := must(client.ExtractionsAPI.ListExtractions(ctx, org, document).Execute()).Extractions
	if len(found) == 0 {
		panic("The turn ended " + turn.Status + " without an extraction.")
	}
	result, err := json.Marshal(found[0].Result)
	if err != nil || !strings.Contains(string(result), "INV-100") {
		panic("The turn ended " + turn.Status + " without INV-100: " + string(result))
	}
	fmt.Printf("%d approved, INV-100 extracted\n", approved)
}
