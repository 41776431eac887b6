// What a headline number counts, where its name says too little. Pure.

import type { Headline } from '../generated/contract';
import { exactBytes, formatBytes } from '../lib/bytes';
import type { Dataset } from './dataset';

export function paddingMeaning(dataset: Dataset): string {
  const { padding_bytes: padding, peak_point: peak } = dataset.headline;
  const meaning = `${exactBytes(padding)} of the peak hold no data: tiles of the layout round dimensions up. Arguments count too.`;
  const each = dataset.liveAt(peak).reduce((sum, row) => sum + dataset.padding(row), 0);
  if (each <= padding) return meaning;
  return `${meaning}\nEach buffer by itself, as the bar by padding has them, adds up to ${formatBytes(each)}: some share addresses, and what they share is in use once.`;
}

export function fragmentationMeaning({ fragmentation_bytes: bytes }: Headline): string {
  return `${exactBytes(bytes)} reserved for temporaries but not in use even at their peak. The share is of all that is allocated; XProf’s percentage is of temporaries alone.`;
}
