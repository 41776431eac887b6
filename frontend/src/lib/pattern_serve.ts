// The code of the search worker. It is self-contained, because a one-file report carries it as its own text.

interface Scope {
  onmessage: unknown;
  postMessage(message: unknown): void;
}

/** For each text what the expression's first group is, else what it matched; null where it does not match. */
export function serve(scope: Scope): void {
  let texts: readonly string[] = [];
  scope.onmessage = (
    event: MessageEvent<{ texts?: readonly string[]; source: string; flags: string; ask: number }>,
  ): void => {
    const { data } = event;
    if (data.texts !== undefined) texts = data.texts;
    scope.postMessage({ ask: data.ask, started: true });
    const expression = new RegExp(data.source, data.flags.replace(/[gy]/g, ''));
    const names = texts.map((text) => {
      const match = expression.exec(text);
      return match === null ? null : (match[1] ?? match[0]);
    });
    scope.postMessage({ ask: data.ask, names });
  };
}
