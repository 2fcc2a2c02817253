package cli

import (
	"context"
	"errors"
	"fmt"
	"os/exec"

	"github.com/heedsh/heed/internal/acp"
)

// between starts an agent and passes its messages until it ends. code is the agent's.
func between(ctx context.Context, s Streams, p *acp.Proxy, argv []string) (code int, err error) {
	c := exec.CommandContext(ctx, argv[0], argv[1:]...)
	c.Env, c.Dir, c.Stderr = s.Env, s.Dir, s.Err
	in, err := c.StdinPipe()
	if err != nil {
		return 0, fmt.Errorf("starting the agent: %w", err)
	}
	out, err := c.StdoutPipe()
	if err != nil {
		return 0, fmt.Errorf("starting the agent: %w", err)
	}
	if err := c.Start(); err != nil {
		return 0, fmt.Errorf("starting the agent: %w", err)
	}
	passed := p.Run(ctx, s.In, s.Out, out, in)
	if passed != nil {
		_ = c.Process.Kill() // it may have ended
	}
	var exit *exec.ExitError
	switch err := c.Wait(); {
	case passed != nil:
		return 0, passed
	case errors.As(err, &exit):
		return exit.ExitCode(), nil
	case err != nil:
		return 0, fmt.Errorf("waiting for the agent: %w", err)
	}
	return 0, nil
}
