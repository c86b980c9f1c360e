package hdc

import (
	"errors"
	"fmt"
	"path/filepath"
	"runtime"

	"github.com/handset-go/handset/internal/cmdrun"
)

// ErrNoTool says that this computer has no hdc.
var ErrNoTool = errors.New("hdc is not installed")

const cureNoTool = "install DevEco Studio or its command line tools, and put the folder sdk/default/openharmony/toolchains into PATH, " +
	"or give the path of hdc as the option tool"

const toolName = "hdc"

// inTool are the places of the tool inside an SDK: DevEco Studio's, the command line tools', a bare one's.
var inTool = []string{
	"sdk/default/openharmony/toolchains", "default/openharmony/toolchains", "openharmony/toolchains", "toolchains",
}

// usualPlaces are where DevEco Studio and its command line tools are, by operating system.
var usualPlaces = map[string][]string{
	"darwin":  {"/Applications/DevEco-Studio.app/Contents"},
	"windows": {`C:\Program Files\Huawei\DevEco Studio`, `D:\Program Files\Huawei\DevEco Studio`},
	"linux":   {"/opt/command-line-tools", "/opt/deveco-studio", "/usr/local/command-line-tools"},
}

// findTool returns the path of hdc: the one asked for, the one in PATH, or one in the usual places, as programs with
// a window often have a short PATH.
func findTool(asked string) (string, error) {
	path, err := cmdrun.Find(orElse(asked, toolName))
	if err == nil {
		return path, nil
	}
	if asked == "" {
		for _, root := range usualPlaces[runtime.GOOS] {
			if path := inSDK(root); path != "" {
				return path, nil
			}
		}
	}
	return "", fmt.Errorf("%w: %w: %s", ErrNoTool, err, cureNoTool)
}

func inPath() bool {
	_, err := cmdrun.Find(toolName)
	return err == nil
}

// inSDK returns the path of hdc under a folder, or "".
func inSDK(root string) string {
	if root == "" {
		return ""
	}
	for _, in := range inTool {
		if path, err := cmdrun.Find(filepath.Join(root, filepath.FromSlash(in), toolName)); err == nil {
			return path
		}
	}
	return ""
}
