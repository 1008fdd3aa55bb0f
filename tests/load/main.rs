//! Load: thousands of exports at once, dead services, and nothing to do.
