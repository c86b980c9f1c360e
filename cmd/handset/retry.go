package main

import (
	"context"
	"fmt"
	"log/slog"
	"time"

	"github.com/handset-go/handset/agent/chat"
)

// modelLogger tells what the model's client does, or without -v only that it waits to try again.
func (a *app) modelLogger() *slog.Logger {
	if a.Verbose {
		return a.logger()
	}
	return slog.New(&retries{a: a})
}

// retries is a handler that tells of attempts that are made again, as a person would wonder at the silence.
type retries struct {
	slog.Handler
	a *app
}

func (r *retries) Enabled(_ context.Context, level slog.Level) bool { return level >= slog.LevelWarn }

func (r *retries) Handle(_ context.Context, record slog.Record) error {
	if record.Message != chat.LogRetry {
		return nil
	}
	var status int64
	var in time.Duration
	record.Attrs(func(a slog.Attr) bool {
		switch v := a.Value.Resolve(); {
		case a.Key == "status" && v.Kind() == slog.KindInt64:
			status = v.Int64()
		case a.Key == "in" && v.Kind() == slog.KindDuration:
			in = v.Duration()
		}
		return true
	})
	why := r.a.tr("the model was not reached", "连接不上模型")
	if status != 0 {
		why = fmt.Sprintf(r.a.tr("model busy (%d)", "模型繁忙(%d)"), status)
	}
	fmt.Fprintf(r.a.stderr, r.a.tr("handset: %s, trying again in %v s\n", "handset: %s,%v 秒后重试\n"), why, in.Round(100*time.Millisecond).Seconds())
	return nil
}

func (r *retries) WithAttrs([]slog.Attr) slog.Handler { return r }
func (r *retries) WithGroup(string) slog.Handler      { return r }
