package main

import (
	"context"
	"flag"
	"fmt"
	"log"
	"os"
	"path/filepath"
	"runtime"
	"sync"
	"time"
)

func main() {
	log.SetFlags(0)
	seeds := flag.Int("seeds", 100, "how many days `N` are lived through, each with what follows it")
	first := flag.Uint64("first", 1, "the first `SEED`")
	suites := flag.String("suites", "", "`GLOB` of files of commands to draw from (default: a grammar)")
	days := flag.Int("days", 3, "days `N` of a log before rules are suggested")
	attention := flag.Float64("attention", 0.85, "`PROBABILITY` that the person reads what is asked")
	verbose := flag.Bool("v", false, "print what was missed, and what was found though it was not planted")
	flag.Parse()
	start := time.Now()
	shop, err := newShop(*suites)
	if err != nil {
		log.Fatal(err)
	}
	var all total
	var mu sync.Mutex
	var wg sync.WaitGroup
	next := make(chan uint64)
	for range runtime.GOMAXPROCS(0) {
		wg.Go(func() {
			for seed := range next {
				r, err := live(context.Background(), shop, setting{seed: seed, days: *days, attention: *attention})
				mu.Lock()
				if err != nil {
					log.Fatalf("seed %d: %v", seed, err)
				}
				all.add(r)
				if *verbose {
					r.complain(os.Stdout)
				}
				mu.Unlock()
			}
		})
	}
	for i := range *seeds {
		next <- *first + uint64(i)
	}
	close(next)
	wg.Wait()
	all.print(os.Stdout, shop)
	all.printAbout(os.Stdout)
	fmt.Printf("%d commands judged of %d that were handed over, %.0f s\n", shop.judged(), all.handed, time.Since(start).Seconds())
	if !all.holds() {
		os.Exit(1)
	}
}

// glob lists the files of a pattern.
func glob(pattern string) ([]string, error) {
	names, err := filepath.Glob(pattern)
	if err == nil && (len(names) == 0 || len(names) > maxRooms) {
		err = fmt.Errorf("%d files are called %s: want 1 to %d", len(names), pattern, maxRooms)
	}
	return names, err
}
