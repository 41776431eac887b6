// Hands a file that the page made to the browser's downloads.

export function download(name: string, content: BlobPart, type: string): void {
  const url = URL.createObjectURL(new Blob([content], { type }));
  const link = document.createElement('a');
  link.href = url;
  link.download = name;
  link.click();
  // The browser reads the address after the click; it needs it no longer than that takes.
  setTimeout(() => URL.revokeObjectURL(url), 10_000);
}

/** A file name from names of anybody's making: letters, digits, dots and dashes stay. */
export function fileName(parts: readonly string[], suffix: string): string {
  const stem = parts.map((part) => part.replace(/[^\p{L}\p{N}._-]+/gu, '_').slice(0, 80)).join('-');
  return `${stem || 'memory'}.${suffix}`;
}
