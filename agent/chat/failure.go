package chat

import (
	"fmt"
	"net/http"
	"slices"
	"strconv"
	"strings"

	"github.com/handset-go/handset/agent"
)

// The business codes of BigModel and z.ai. Their HTTP status says less: 429 stands for a rate limit,
// for an empty account and for a locked one. Source: docs.bigmodel.cn and docs.z.ai, "api-code".
var bigModel = map[string]error{
	"1000": agent.ErrModelConfig, "1001": agent.ErrModelConfig, "1002": agent.ErrModelConfig,
	"1003": agent.ErrModelConfig, "1004": agent.ErrModelConfig, // the key
	"1112": agent.ErrModelConfig, "1121": agent.ErrModelConfig, // the account is locked
	"1113": agent.ErrModelQuota, "1304": agent.ErrModelQuota, "1308": agent.ErrModelQuota,
	"1309": agent.ErrModelQuota, "1310": agent.ErrModelQuota, "1311": agent.ErrModelQuota,
	"1210": agent.ErrModelConfig, "1211": agent.ErrModelConfig, "1212": agent.ErrModelConfig,
	"1213": agent.ErrModelConfig, "1214": agent.ErrModelConfig, "1215": agent.ErrModelConfig,
	"1220": agent.ErrModelConfig, "1221": agent.ErrModelConfig, "1222": agent.ErrModelConfig,
	"1234": agent.ErrModelBusy, "1302": agent.ErrModelBusy, "1303": agent.ErrModelBusy,
	"1305": agent.ErrModelBusy, "1312": agent.ErrModelBusy,
	"1261": agent.ErrContextTooLong,
	"1301": agent.ErrContentPolicy,
}

// Codes and types of other endpoints, in lower case.
var named = map[string]error{
	"context_length_exceeded":   agent.ErrContextTooLong,
	"exceed_context_size_error": agent.ErrContextTooLong, // llama.cpp
	"content_policy_violation":  agent.ErrContentPolicy,
	"content_filter":            agent.ErrContentPolicy,
	"moderation_blocked":        agent.ErrContentPolicy,
	"datainspectionfailed":      agent.ErrContentPolicy, // DashScope
	"data_inspection_failed":    agent.ErrContentPolicy,
	"insufficient_quota":        agent.ErrModelQuota,
	"arrearage":                 agent.ErrModelQuota, // DashScope
	"invalid_api_key":           agent.ErrModelConfig,
	"model_not_found":           agent.ErrModelConfig,
	"rate_limit_exceeded":       agent.ErrModelBusy,
	"overloaded_error":          agent.ErrModelBusy,
}

// Words by which a failure is known where it has no code, in lower case.
var (
	tooLongWords = []string{
		"maximum context length", "context length exceeded", "exceeds the available context size",
		"exceeds the context", "context window", "prompt is too long", "input is too long",
		"longer than the maximum model length", "max_model_len", "reduce the length",
		"input token count", "range of input length",
	}
	quotaWords  = []string{"insufficient balance", "insufficient credit", "余额不足", "欠费"}
	policyWords = []string{"content policy", "不安全或敏感", "inappropriate content"}
)

// cause returns the sentinel for a refusal, with what a person can do about it. A status of 0 or 200
// is one of a stream that had begun.
func (c complaint) cause(status int) error {
	if code, err := strconv.Atoi(c.Code); err == nil && status <= http.StatusOK && code >= 400 && code < 600 {
		status = code
	}
	text := strings.ToLower(c.Message)
	if err, ok := bigModel[c.Code]; ok {
		return advised(err, status, text)
	}
	for _, name := range []string{c.Code, c.Type} {
		if err, ok := named[strings.ToLower(name)]; ok {
			return advised(err, status, text)
		}
	}
	has := func(word string) bool { return strings.Contains(text, word) }
	switch {
	case slices.ContainsFunc(tooLongWords, has):
		return agent.ErrContextTooLong
	case slices.ContainsFunc(quotaWords, has):
		return agent.ErrModelQuota
	case slices.ContainsFunc(policyWords, has):
		return agent.ErrContentPolicy
	}
	return advised(byStatus(status), status, text)
}

func byStatus(status int) error {
	switch {
	case status == http.StatusPaymentRequired:
		return agent.ErrModelQuota
	case status == http.StatusRequestTimeout, status == http.StatusTooEarly, status == http.StatusTooManyRequests:
		return agent.ErrModelBusy
	case status >= 300 && status < 500:
		return agent.ErrModelConfig
	case status > http.StatusInternalServerError:
		return agent.ErrModelBusy
	}
	return agent.ErrModelReply // 500 and what has no status
}

// advised adds to a configuration error what to look at.
func advised(err error, status int, text string) error {
	if err != agent.ErrModelConfig {
		return err
	}
	advice := ""
	switch {
	case status == http.StatusUnauthorized || status == http.StatusForbidden:
		advice = "check the API key and what it may use"
	case status == http.StatusNotFound || status == http.StatusMethodNotAllowed:
		advice = "check the base URL, which mostly ends in /v1, and the model's name"
	case status >= 300 && status < 400:
		advice = "it has moved: set the base URL to its new place"
	case status == http.StatusRequestEntityTooLarge:
		advice = "the request is too large for it: send smaller frames"
	case strings.Contains(text, "image"):
		advice = "this model may take no pictures: choose another, or work without frames"
	default:
		return err
	}
	return fmt.Errorf("%w: %s", err, advice)
}

// fail makes the error of a call. The endpoint's words lose the key, should they hold it.
func (c *Client) fail(status int, said complaint, partial string, err error) *agent.ModelError {
	if c.key != "" && len(c.key) > 5 {
		said.Message = strings.ReplaceAll(said.Message, c.key, "[key]")
	}
	return &agent.ModelError{
		Endpoint: c.shown, Status: status, Code: said.Code, Message: said.Message,
		RequestID: said.RequestID, Partial: partial, Err: err,
	}
}
