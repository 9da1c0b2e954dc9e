// The compiled part of Boost.Beast: see BOOST_BEAST_SEPARATE_COMPILATION in cmake/.
#include <boost/beast/src.hpp>
