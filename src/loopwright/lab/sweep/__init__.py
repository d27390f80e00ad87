"""Where it breaks: the real border of every limit, found by running, beside the certificate's."""
