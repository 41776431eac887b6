// What a view is: an element that shows a dataset and a state, and changes the state by its actions.

import type { Current } from '../../lib/store';
import type { Dataset } from '../../model/dataset';
import type { ViewActions } from '../../state/actions';
import type { State } from '../../state/state';

export interface ViewContext {
  readonly current: Current<State>;
  readonly dataset: Dataset;
  readonly actions: ViewActions;
}

export interface View {
  readonly element: HTMLElement;
  /** Called after each change of the state, and once with previous equal to state when the view is made. */
  update(state: State, previous: State): void;
  /** Removes listeners and observers; the element is removed by who put it there. */
  destroy(): void;
}

export type MakeView = (context: ViewContext) => View;
