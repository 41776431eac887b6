// Explanations of headline numbers whose names are not enough. Pure.

import type { Headline } from '../generated/contract';
import { exactBytes, formatBytes } from '../lib/bytes';
import type { Dataset } from './dataset';

export function paddingMeaning(dataset: Dataset): string {
  const { padding_bytes: padding, peak_point: peak } = dataset.headline;
  const meaning = `${exactBytes(padding)} of the peak hold no data, because the layout’s tiles round dimensions up. Includes arguments.`;
  const each = dataset.liveAt(peak).reduce((sum, row) => sum + dataset.padding(row), 0);
  if (each <= padding) return meaning;
  return `${meaning}\nThe bar by padding adds up to ${formatBytes(each)}, because it counts addresses that buffers share more than once.`;
}

export function fragmentationMeaning({ fragmentation_bytes: bytes }: Headline): string {
  return `${exactBytes(bytes)} reserved for temporaries but not in use even at their peak. The percentage is of all allocated memory; XProf’s is of temporaries only.`;
}
