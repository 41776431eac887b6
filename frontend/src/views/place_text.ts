// A place in source code as people read it.

import { shortPath } from '../lib/text';
import type { Place } from '../model/dataset';

/** The whole path with the line. */
export function placeText(place: Place): string {
  return place.line === null ? place.file : `${place.file}:${place.line}`;
}

/** The last parts of the path with the line. */
export function shortPlaceText(place: Place): string {
  return placeText({ file: shortPath(place.file), line: place.line });
}
