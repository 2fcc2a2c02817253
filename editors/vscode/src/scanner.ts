// When texts are judged: after typing rests, one run a text, and only the last one counts.

/** What a scanner does for its texts. K names a text. */
export interface Work<K, R> {
  /** Judges a text as it is now. It should end early when the signal is aborted. */
  judge(text: K, signal: AbortSignal): Promise<R>;
  /** Takes the answer, unless the text was changed or closed meanwhile. */
  done(text: K, answer: R): void;
  /** Takes the reason why there is none; not of runs that were cancelled. */
  failed(text: K, reason: unknown): void;
}

/** Judges texts, each at most once at a time. */
export class Scanner<K> {
  private readonly waiting = new Map<K, NodeJS.Timeout>();
  private readonly running = new Map<K, AbortController>();

  private constructor(private readonly start: (text: K, signal: AbortSignal) => Promise<void>) {}

  static of<K, R>(work: Work<K, R>): Scanner<K> {
    return new Scanner(async (text, signal) => {
      try {
        const answer = await work.judge(text, signal);
        if (!signal.aborted) work.done(text, answer);
      } catch (reason) {
        if (!signal.aborted) work.failed(text, reason);
      }
    });
  }

  /** Judges a text after a while, in which it is not asked for again. A run for what it was is cancelled at once. */
  ask(text: K, after: number): void {
    this.forget(text);
    const timer = setTimeout(() => {
      this.waiting.delete(text);
      void this.now(text);
    }, after);
    this.waiting.set(text, timer);
  }

  private async now(text: K): Promise<void> {
    const controller = new AbortController();
    this.running.set(text, controller);
    await this.start(text, controller.signal);
    if (this.running.get(text) === controller) this.running.delete(text);
  }

  /** Cancels what waits or runs for a text. */
  forget(text: K): void {
    clearTimeout(this.waiting.get(text));
    this.waiting.delete(text);
    this.running.get(text)?.abort();
    this.running.delete(text);
  }

  /** Cancels everything. */
  dispose(): void {
    for (const text of [...this.waiting.keys(), ...this.running.keys()]) this.forget(text);
  }
}
