// The other memory spaces of the module as small charts on the same axis: what VMEM does while HBM is at its peak.

import type { SpaceEntry, SpacesAnswer } from '../../generated/contract';
import { exactBytes, formatBytes } from '../../lib/bytes';
import type { PointScale } from '../../model/axis/point_scale';
import { axisOf, pointScale, shownPoint, shownStretch } from '../../model/selection';
import { bytesAt, type Curve, curveOf, curvePath, foldCurve } from '../../model/spaces_curve';
import type { State } from '../../state/state';
import { el, onResize, setAttributes, svg } from '../shared/dom';
import type { View, ViewContext } from '../shared/view';

const HEIGHT = 36;
/** The margins of the line chart above: the axes line up. */
const LEFT = 72;
const RIGHT = 14;

interface Small {
  readonly space: SpaceEntry;
  readonly curve: Curve;
  readonly root: SVGSVGElement;
  readonly value: HTMLElement;
}

export function makeSpacesStrip({ current, dataset, actions }: ViewContext, answer: SpacesAnswer): View {
  const others = answer.spaces.filter(
    (space) => space.memory_space !== dataset.answer.memory_space && space.peak_bytes > 0,
  );
  const list = el('div', { class: 'spaces-list' });
  const element = el(
    'section',
    { class: 'panel spaces-strip', 'aria-label': 'Other memory spaces', hidden: others.length === 0 },
    el(
      'div',
      { class: 'panel-head' },
      el('h2', {}, 'Other memory spaces'),
      el('span', { class: 'hint' }, 'in the same program order'),
    ),
    list,
  );
  let width = 0;
  const smalls = others.map(make);

  function make(space: SpaceEntry): Small {
    const root = svg('svg', {
      class: 'small-chart',
      role: 'img',
      'aria-label': `${space.space}: peak ${formatBytes(space.peak_bytes)} at point ${space.peak_point}`,
      height: HEIGHT,
    });
    const value = el('span', { class: 'small-value' });
    const head = el('div', { class: 'small-head' }, nameButton(space), value);
    const row = el('div', { class: 'small-row', 'data-space': space.space }, head, root);
    root.addEventListener('pointermove', (event) => {
      const x = event.clientX - root.getBoundingClientRect().left - LEFT;
      const outside = x < 0 || x > width;
      actions.hoverPoint(outside ? null : pointScale(dataset, current.state, width).point(x));
    });
    root.addEventListener('pointerleave', () => actions.hoverPoint(null));
    root.addEventListener('click', () => {
      const point = current.state.hoveredPoint;
      if (point !== null) actions.selectPoint(point);
    });
    list.append(row);
    return { space, curve: curveOf(space), root, value };
  }

  function nameButton(space: SpaceEntry): HTMLElement {
    const name = el(
      'button',
      {
        type: 'button',
        class: 'small-name',
        title: `Show ${space.space}: peak ${exactBytes(space.peak_bytes)} at point ${space.peak_point}`,
      },
      el('b', {}, space.space),
      el('span', { class: 'hint' }, `peak ${formatBytes(space.peak_bytes)}`),
    );
    name.addEventListener('click', () => actions.chooseSpace(space.space));
    return name;
  }

  function draw(): void {
    if (width <= 0) return;
    const [a, b] = shownStretch(dataset, current.state);
    const axis = axisOf(dataset, current.state);
    for (const { space, curve, root } of smalls) {
      const line = curvePath(foldCurve(curve, axis), a, b, width, HEIGHT - 4, space.peak_bytes);
      setAttributes(root, { width: width + LEFT + RIGHT });
      root.replaceChildren(...smallChart(line, width, space.peak_bytes));
    }
    mark(current.state);
  }

  function mark(state: State): void {
    const scale = pointScale(dataset, state, width);
    const chosen = shownPoint(dataset, state);
    for (const { curve, root, value } of smalls) {
      const at = state.hoveredPoint ?? chosen;
      value.textContent = `${formatBytes(bytesAt(curve, at))} at point ${at}`;
      const lines = [
        rule(scale, chosen, state.point === null ? 'mark peak' : 'mark chosen'),
        state.hoveredPoint === null ? null : rule(scale, state.hoveredPoint, 'cursor-line'),
      ];
      root.querySelector('.small-marks')?.replaceChildren(...lines.filter((line) => line !== null));
    }
  }

  const stop = onResize(list, (listWidth) => {
    width = Math.max(50, listWidth - LEFT - RIGHT);
    draw();
  });
  return {
    element,
    update(state, previous) {
      if (state.zoom !== previous.zoom || state.folded !== previous.folded) draw();
      else if (state.hoveredPoint !== previous.hoveredPoint || state.point !== previous.point) mark(state);
    },
    destroy: stop,
  };
}

function smallChart(line: string, width: number, peak: number): SVGElement[] {
  return [
    svg(
      'text',
      { class: 'small-label', x: LEFT - 8, y: 12, 'text-anchor': 'end' },
      formatBytes(peak).replace(/\.0+(?= )/, ''),
    ),
    svg(
      'g',
      { transform: `translate(${LEFT},2)` },
      svg('path', { class: 'small-area', d: `${line}V${HEIGHT - 4}H0Z` }),
      svg('path', { class: 'small-line', d: line }),
      svg('line', { class: 'small-base', x1: 0, x2: width, y1: HEIGHT - 4, y2: HEIGHT - 4 }),
      svg('g', { class: 'small-marks' }),
    ),
  ];
}

function rule(scale: PointScale, point: number, kind: string): SVGElement | null {
  const x = scale.middle(point);
  return x === null ? null : svg('line', { class: kind, x1: x, x2: x, y1: 0, y2: HEIGHT - 4 });
}
