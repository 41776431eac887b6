// A place in source code as text. Pure.

import { shortPath } from '../lib/text';
import type { Place } from './dataset';

export const FRAMEWORK_CODE = 'framework code';

/** The whole path with the line, marked where it is a library's because no line of the user's is known. */
export function placeText({ file, line, framework }: Place): string {
  const place = line === null ? file : `${file}:${line}`;
  return framework ? `${FRAMEWORK_CODE}: ${place}` : place;
}

/** The last parts of the path with the line. */
export function shortPlaceText(place: Place): string {
  return placeText({ ...place, file: shortPath(place.file) });
}

/** The text of a place, which the server wrote whole, with the last parts of its path. */
export function shortened(text: string): string {
  const mark = `${FRAMEWORK_CODE}: `;
  return text.startsWith(mark) ? mark + shortPath(text.slice(mark.length)) : shortPath(text);
}
