package action

import "time"

// A Lang is a language of prompts: English, or Chinese for any other value.
type Lang string

const (
	Chinese Lang = "zh"
	English Lang = "en"
)

func (l Lang) english() bool { return len(l) >= 2 && hasFold(string(l), "en") }

// A Dialect is how one family of models is spoken to. All of its functions must be set, but for
// Tools. It is a plain struct, so that a program can copy one and replace what it wants to.
type Dialect struct {
	// Name is what a person calls it, such as "autoglm".
	Name string
	// Images is how many pictures, the newest ones, a request may carry.
	Images int
	// Space is what the points of the model count.
	Space Space
	// Tools returns the tools that a request offers. Nil means that the model calls none.
	Tools func(Lang) []Schema
	// SystemPrompt returns the first message.
	SystemPrompt func(Prompt) string
	// Parse reads a whole reply; what cannot be read is a *SyntaxError.
	Parse func(reply string) (Reply, error)
	// Format writes an action so that Parse reads it back.
	Format func(Action) string
	// FormatReply writes a reply as the history keeps it.
	FormatReply func(Reply) string
	// NewSplitter divides a streamed reply for display.
	NewSplitter func() *Splitter
}

// A Prompt is what a system prompt depends on.
type Prompt struct {
	Lang Lang
	// Date is today, in the time zone of the phone. It must be set: a prompt without it would tell
	// the model a wrong one.
	Date time.Time
	// Platform is the system of the phone, such as Android, HarmonyOS or iOS. "" leaves it open.
	Platform string
	// Rows says that the screen is shown as rows of text, whose numbers can be aimed at.
	Rows bool
	// Verbs are those that the model is told of. None means all; ProtocolVerbs is what the AutoGLM
	// weights have seen.
	Verbs []Verb
}

// AutoGLM returns the dialect of AutoGLM-Phone-9B, its multilingual sibling and the hosted
// autoglm-phone. Other general models follow it too, from the prompt alone.
func AutoGLM() Dialect {
	return Dialect{
		Name:         "autoglm",
		Images:       1,
		Space:        PerMille,
		SystemPrompt: SystemPrompt,
		Parse:        Parse,
		Format:       Format,
		FormatReply:  FormatReply,
		NewSplitter:  func() *Splitter { return new(Splitter) },
	}
}
