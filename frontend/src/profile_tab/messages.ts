// The messages between the Profile tab's script and our page in its frame. Both sides check origin and sender.

/** The script tells the page what the Profile tab has chosen; null where it has chosen nothing. */
export interface SelectMessage {
  type: 'memviewer:select';
  run: string | null;
  host: string | null;
  module: string | null;
}

/** The script tells the page whether it can be seen: another tool may be shown instead. */
export interface VisibleMessage {
  type: 'memviewer:visible';
  visible: boolean;
}

/** The script passes on that TensorBoard was asked to reload its data. */
export interface ReloadMessage {
  type: 'memviewer:reload';
}

/** The page is up and wants to be told the selection. */
export interface ReadyMessage {
  type: 'memviewer:ready';
}

export type Tool = 'graph_viewer' | 'trace_viewer';

/** The page wants another tool of the Profile tab opened at an instruction of a module. */
export interface NavigateMessage {
  type: 'memviewer:navigate';
  tool: Tool;
  instruction: string;
  module: string | null;
  /** In a browser tab of its own, as a click with Ctrl or the middle button asks for. */
  newTab: boolean;
}

export type MessageToPage = SelectMessage | VisibleMessage | ReloadMessage;
export type MessageToScript = ReadyMessage | NavigateMessage;

const TOOLS: readonly string[] = ['graph_viewer', 'trace_viewer'] satisfies Tool[];

/** The message in what a frame has posted, or null where it is none of ours. */
export function parseMessageToScript(data: unknown): MessageToScript | null {
  if (typeof data !== 'object' || data === null) return null;
  const { type, tool, instruction, module, newTab } = data as Record<string, unknown>;
  if (type === 'memviewer:ready') return { type };
  if (type !== 'memviewer:navigate' || typeof tool !== 'string' || !TOOLS.includes(tool)) return null;
  return {
    type,
    tool: tool as Tool,
    instruction: typeof instruction === 'string' ? instruction : '',
    module: typeof module === 'string' && module !== '' ? module : null,
    newTab: newTab === true,
  };
}
