package mcp

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"

	"github.com/heedsh/heed/internal/audit"
	"github.com/heedsh/heed/internal/child"
	"github.com/heedsh/heed/internal/guard"
	"github.com/heedsh/heed/risk"
	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
)

const (
	logURI   = "heed://log"
	lastRows = 50
)

func (c *calls) rows() (guard.Log, error) {
	g := c.Guard(&risk.Request{Dir: c.Dir, Env: child.Pairs(c.Env)})
	return g.Records.Log, g.Records.Err
}

// log is the last rows, without the whole assessments.
func (c *calls) log(ctx context.Context, call *sdk.ReadResourceRequest) (*sdk.ReadResourceResult, error) {
	log, err := c.rows()
	if err != nil {
		return nil, err
	}
	var b strings.Builder
	e := json.NewEncoder(&b)
	for r, err := range log.Rows(ctx, audit.Filter{Last: lastRows}) {
		if err != nil {
			return nil, fmt.Errorf("reading the log: %w", err)
		}
		r.Whole = nil
		if err := e.Encode(&r); err != nil {
			return nil, fmt.Errorf("writing a row: %w", err)
		}
	}
	return content(call, "application/x-ndjson", b.String()), nil
}

// row is one row.
func (c *calls) row(ctx context.Context, call *sdk.ReadResourceRequest) (*sdk.ReadResourceResult, error) {
	log, err := c.rows()
	if err != nil {
		return nil, err
	}
	r, err := log.Find(ctx, strings.TrimPrefix(call.Params.URI, logURI+"/"))
	if err != nil {
		return nil, sdk.ResourceNotFoundError(call.Params.URI)
	}
	text, err := json.Marshal(&r)
	if err != nil {
		return nil, fmt.Errorf("writing a row: %w", err)
	}
	return content(call, "application/json", string(text)), nil
}

func content(call *sdk.ReadResourceRequest, kind, text string) *sdk.ReadResourceResult {
	return &sdk.ReadResourceResult{Contents: []*sdk.ResourceContents{{URI: call.Params.URI, MIMEType: kind, Text: text}}}
}
