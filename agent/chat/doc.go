// Package chat is the streaming client for models behind an OpenAI-compatible chat/completions
// endpoint: vLLM, SGLang, llama.cpp, Ollama, LM Studio, BigModel, z.ai, ModelScope, OpenRouter and
// the like.
//
//	model, err := chat.New(&chat.Options{BaseURL: "http://localhost:8000/v1"})
//	...
//	a, err := agent.New(phone, model, nil)
//
// A Client implements agent.Model. It always streams. Each call has limits of its own (see Limits),
// and running into one is agent.ErrModelTimeout. A request that fails before the first byte of a
// reply is sent again where that can help; afterwards never, and what had come by then is in
// ModelError.Partial. A stream that ends without a sign of its end is an error, not a reply.
//
// Endpoints differ in what they accept: an optional parameter that one refuses by its name is left
// out from then on, which is logged. The API key, pictures and texts are never logged.
package chat
