package main

import (
	"math/rand/v2"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// stock is the environment of a stock adb with a server of its own, which sees no emulators and no phones of the
// tester. The server is started by the first command that needs it.
func stock(t *testing.T) []string {
	t.Helper()
	if tools["adb"] == "" {
		if strings.Contains(os.Getenv("HANDSET_REQUIRE"), "adb") {
			t.Fatal("adb is not installed, and HANDSET_REQUIRE names it")
		}
		t.Skip("adb is not installed")
	}
	port := quietPort(t)
	home := t.TempDir()
	env := []string{
		"PATH=" + filepath.Dir(tools["adb"]), "HOME=" + home, "TMPDIR=" + home, "XDG_CACHE_HOME=" + home,
		"ADB_SERVER_SOCKET=", "ANDROID_ADB_SERVER_PORT=" + port, "ADB_LOCAL_TRANSPORT_MAX_PORT=5553", "ADB_MDNS=0",
	}
	t.Cleanup(func() {
		kill := exec.Command(tools["adb"], "-L", "tcp:"+port, "kill-server")
		kill.Env = append([]string{"HOME=" + home, "TMPDIR=" + home}, env[0])
		out, err := kill.CombinedOutput()
		require.NoError(t, err, "%s", out)
		soon(t, "the adb server is gone", func() bool {
			c, err := net.Dial("tcp", "127.0.0.1:"+port)
			if err == nil {
				_ = c.Close()
			}
			return err != nil
		})
	})
	return env
}

// quietPort returns a free port for a server that is started later: of those that the system gives to nobody by itself, so
// that no other program has it by then.
func quietPort(t *testing.T) string {
	t.Helper()
	for range 20 {
		port := strconv.Itoa(20_000 + rand.IntN(10_000))
		if l, err := net.Listen("tcp", "127.0.0.1:"+port); err == nil {
			require.NoError(t, l.Close())
			return port
		}
	}
	t.Fatal("no free port")
	return ""
}

// The whole of it, as a person would do it by hand: a simulated phone, a stock adb, a model, a task.
func TestTasksThroughStockADB(t *testing.T) {
	env := append(stock(t), "PHONE_AGENT_SETTLE_LIMIT=300ms")
	served := object(t, start(t, env, "sim", "--adb", "127.0.0.1:0").line())
	at, log := served["adb"].(string), "http://"+served["control"].(string)+"/log"

	require.Equal(t, "adb:"+at, command(t, env, "connect", at).ok(t))
	require.Regexp(t, `(?m)^adb:`+at+` +device`, command(t, env, "devices").ok(t))

	model := start(t, env, "demo-model")
	env = append(env, "PHONE_AGENT_BASE_URL="+strings.TrimSpace(model.line()))
	out := command(t, env, "-d", "adb:"+at, "run", "send 'hello from stock' to Alice in Messages").ok(t)
	require.Contains(t, out, "=== done")
	require.Contains(t, get(t, log), `"event":"message_sent","text":"hello from stock","to":"Alice"`)

	before := len(lines(get(t, log)))
	pixels := scripted(t,
		`<think>Settings first.</think><answer>do(action="Launch", app="设置")</answer>`,
		`<think>Bluetooth.</think><answer>do(action="Tap", element=[500,280])</answer>`,
		`<answer>finish(message="Bluetooth is off.")</answer>`)
	command(t, env, "-d", "adb:"+at, "run", "--mode", "pixels", "--base-url", pixels.url, "turn off Bluetooth").ok(t)
	after := strings.Join(lines(get(t, log))[before:], "\n")
	require.Contains(t, after, `"event":"switch","key":"bluetooth","name":"Bluetooth","on":false`)
	require.Len(t, pixels.asked(), 3)

	require.Empty(t, command(t, env, "disconnect", at).ok(t))
}
