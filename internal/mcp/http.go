package mcp

import (
	"context"
	"crypto/sha256"
	"crypto/subtle"
	"errors"
	"fmt"
	"net"
	"net/http"
	"slices"
	"time"

	"github.com/modelcontextprotocol/go-sdk/auth"
	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
)

// Path is where the server answers.
const Path = "/mcp"

// LeastToken is how long a token is at least, in bytes.
const LeastToken = 32

// idle is how long a session is kept that nobody uses.
const idle = 30 * time.Minute

// Handler answers over HTTP whoever has the token. A browser says for which page it
// sends something: that is refused unless the page's origin is named.
func (s *Server) Handler(token string, origins []string) (http.Handler, error) {
	if len(token) < LeastToken {
		return nil, fmt.Errorf("the token is shorter than %d bytes", LeastToken)
	}
	p := s.server()
	var h http.Handler = sdk.NewStreamableHTTPHandler(func(*http.Request) *sdk.Server { return p }, &sdk.StreamableHTTPOptions{
		SessionTimeout: idle, MaxRequestBodyBytes: maxMessage, PropagateRequestCancellation: true,
	})
	want := sha256.Sum256([]byte(token))
	h = auth.RequireBearerToken(func(_ context.Context, given string, _ *http.Request) (*auth.TokenInfo, error) {
		got := sha256.Sum256([]byte(given))
		if subtle.ConstantTimeCompare(got[:], want[:]) != 1 {
			return nil, auth.ErrInvalidToken
		}
		return &auth.TokenInfo{UserID: "owner", Expiration: time.Now().Add(time.Hour)}, nil
	}, nil)(h)
	mux := http.NewServeMux()
	mux.Handle(Path, fromHere(h, origins))
	return mux, nil
}

// fromHere refuses what a browser sends for a page that is not named.
func fromHere(h http.Handler, origins []string) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		for _, origin := range r.Header.Values("Origin") {
			if !slices.Contains(origins, origin) {
				http.Error(w, "this origin is not allowed", http.StatusForbidden)
				return
			}
		}
		h.ServeHTTP(w, r)
	})
}

// Listen opens a port: of the loopback, unless anywhere is set.
func Listen(ctx context.Context, address string, anywhere bool) (net.Listener, error) {
	host, _, err := net.SplitHostPort(address)
	if err != nil {
		return nil, fmt.Errorf("reading the address: %w", err)
	}
	if ip := net.ParseIP(host); !anywhere && host != "localhost" && (ip == nil || !ip.IsLoopback()) {
		return nil, fmt.Errorf("%q is not the loopback: others could reach it, and the token is sent in the clear", host)
	}
	l, err := (&net.ListenConfig{}).Listen(ctx, "tcp", address)
	if err != nil {
		return nil, fmt.Errorf("listening: %w", err)
	}
	return l, nil
}

// ServeHTTP answers on a listener until ctx ends.
func ServeHTTP(ctx context.Context, l net.Listener, h http.Handler) error {
	srv := &http.Server{Handler: h, ReadHeaderTimeout: 10 * time.Second, IdleTimeout: 2 * time.Minute, MaxHeaderBytes: 64 << 10, BaseContext: func(net.Listener) context.Context { return ctx }}
	stop := context.AfterFunc(ctx, func() { _ = srv.Close() }) // what it was closed for is what ctx says
	defer stop()
	if err := srv.Serve(l); !errors.Is(err, http.ErrServerClosed) {
		return fmt.Errorf("answering over HTTP: %w", err)
	}
	return nil
}
