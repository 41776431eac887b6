// The entry of matcher.js: the worker in which regular expressions run, to be ended when one takes too long.

import { serve } from './lib/pattern_serve';

serve(self);
