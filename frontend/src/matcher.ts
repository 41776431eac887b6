// The entry of matcher.js: the worker that runs regular expressions, and that is ended if one takes too long.

import { serve } from './lib/pattern_serve';

serve(self);
