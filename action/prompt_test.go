package action

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

var aMonday = time.Date(2026, time.March, 2, 23, 30, 0, 0, time.FixedZone("", 8*3600))

// The lines that the AutoGLM weights were trained on, to the character.
var trained = []string{
	`do(action="Launch", app="xxx")`,
	`do(action="Tap", element=[x,y])`,
	`do(action="Type", text="xxx")`,
	`do(action="Type_Name", text="xxx")`,
	`do(action="Interact")`,
	`do(action="Swipe", start=[x1,y1], end=[x2,y2])`,
	`do(action="Note", message="True")`,
	`do(action="Call_API", instruction="xxx")`,
	`do(action="Long Press", element=[x,y])`,
	`do(action="Double Tap", element=[x,y])`,
	`do(action="Take_over", message="xxx")`,
	`do(action="Back")`,
	`do(action="Home")`,
	`do(action="Wait", duration="x seconds")`,
	`finish(message="xxx")`,
}

func TestSystemPrompt(t *testing.T) {
	for _, c := range []struct {
		lang          Lang
		date, warning string
	}{
		{Chinese, "今天的日期是: 2026年03月02日 星期一\n", `do(action="Tap", element=[x,y], message="重要操作")`},
		{English, "The current date: 2026-03-02, Monday\n", `do(action="Tap", element=[x,y], message="important operation")`},
	} {
		t.Run(string(c.lang), func(t *testing.T) {
			text := SystemPrompt(Prompt{Lang: c.lang, Date: aMonday, Platform: "HarmonyOS"})
			require.True(t, strings.HasPrefix(text, c.date))
			require.Contains(t, text, "HarmonyOS")
			require.Contains(t, text, "<think>{think}</think>\n<answer>{action}</answer>\n")
			require.Contains(t, text, "- "+c.warning+"\n")
			for _, line := range trained {
				require.Contains(t, text, "- "+line+"\n")
			}
			for i := 1; i <= 18; i++ {
				require.Contains(t, text, fmt.Sprintf("\n%d. ", i))
			}
			require.NotContains(t, text, "ref=")
			require.NotContains(t, text, "ADB Keyboard")
			require.NotContains(t, text, "%!")
		})
	}
}

func TestSystemPromptHasEveryVerb(t *testing.T) {
	for _, lang := range []Lang{Chinese, English} {
		rowsToo := SystemPrompt(Prompt{Lang: lang, Date: aMonday, Rows: true})
		pictures := SystemPrompt(Prompt{Lang: lang, Date: aMonday})
		for i := range rows {
			head := "- " + strings.TrimSuffix(rows[i].form(""), ")")
			require.Contains(t, rowsToo, head)
			require.Equal(t, !rows[i].rowsOnly, strings.Contains(pictures, head), rows[i].verb)
		}
		require.Contains(t, rowsToo, "ref=12")
		require.Contains(t, rowsToo, "5 btn Network & internet 500,224")
	}
	protocol := SystemPrompt(Prompt{Lang: Chinese, Date: aMonday, Verbs: ProtocolVerbs()})
	require.Equal(t, len(trained)+1, strings.Count(protocol, "\n- do(")+strings.Count(protocol, "\n- finish("))
}

func TestSystemPromptNamesThePlatform(t *testing.T) {
	for _, lang := range []Lang{Chinese, English} {
		android := SystemPrompt(Prompt{Lang: lang, Date: aMonday, Platform: "Android"})
		require.Contains(t, android, "\n19. ")
		require.Contains(t, android, "ADB Keyboard {ON}")
		iphone := SystemPrompt(Prompt{Lang: lang, Date: aMonday, Platform: "iOS"})
		require.Contains(t, iphone, "iOS")
		require.NotContains(t, iphone, "Android")
		require.NotContains(t, iphone, "\n19. ")
	}
	require.Len(t, promptChinese.rules, 18)
	require.Len(t, promptEnglish.rules, 18)
}

func TestSystemPromptDistrustsTheScreen(t *testing.T) {
	require.Contains(t, SystemPrompt(Prompt{Lang: English}), "untrusted data")
	require.Contains(t, SystemPrompt(Prompt{Lang: Chinese}), "不可信的数据")
}

func TestLanguages(t *testing.T) {
	for lang, english := range map[Lang]bool{"en": true, "EN-US": true, "zh": false, "cn": false, "": false, "e": false} {
		require.Equal(t, english, lang.english(), lang)
	}
}

func TestPromptExamplesAreReadable(t *testing.T) {
	for i := range rows {
		form := rows[i].form(`"m"`)
		form = strings.NewReplacer("x1", "1", "y1", "2", "x2", "3", "y2", "4", "x3", "5", "y3", "6", "x4", "7", "y4", "8",
			"[x,y]", "[1,2]", "x seconds", "3 seconds").Replace(form)
		reply, err := Parse(form)
		require.NoError(t, err, form)
		if !rows[i].alias {
			require.Equal(t, rows[i].verb, reply.Action.Verb())
		}
	}
}

func TestAutoGLMDialect(t *testing.T) {
	d := AutoGLM()
	require.Equal(t, "autoglm", d.Name)
	require.Equal(t, 1, d.Images)
	require.Nil(t, d.Tools)
	require.Equal(t, SystemPrompt(Prompt{Date: aMonday}), d.SystemPrompt(Prompt{Date: aMonday}))
	reply, err := d.Parse(d.FormatReply(Reply{"t", Back{}}))
	require.NoError(t, err)
	require.Equal(t, Reply{"t", Back{}}, reply)
	require.Equal(t, `do(action="Back")`, d.Format(Back{}))
	require.Equal(t, []Part{{false, "a"}}, d.NewSplitter().Write("a"))
}
