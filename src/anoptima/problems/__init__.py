"""Problems: questions with a cost and a checker, one file a problem; they know no solver."""
